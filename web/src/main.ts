import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { keepPrefs } from "./prefs.svelte";

keepPrefs();
const page = document.getElementById("page");
if (page) mount(App, { target: page });
