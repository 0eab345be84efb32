import { expect, test } from "vitest";
import { newest } from "../src/table/newest";

test("one question at a time, and then the newest", async () => {
  const asked: string[] = [];
  const heard: string[] = [];
  const open: ((answer: string) => void)[] = [];
  const ask = newest(
    (question: string) => {
      asked.push(question);
      return new Promise<string>((resolve) => open.push(resolve));
    },
    (question, answer) => heard.push(`${question} ${answer}`),
  );
  ask("a");
  ask("b");
  ask("c");
  expect(asked).toEqual(["a"]);
  open.shift()?.("yes");
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual(["a", "c"]);
  expect(heard).toEqual([]);
  open.shift()?.("no");
  await new Promise((resolve) => setTimeout(resolve));
  expect(heard).toEqual(["c no"]);
});

test("a question that fails is answered by nothing, and the next is asked", async () => {
  const heard: (string | undefined)[] = [];
  const ask = newest(
    (question: string) => (question === "a" ? Promise.reject(new Error("busy")) : Promise.resolve("yes")),
    (_, answer) => heard.push(answer),
  );
  ask("a");
  await new Promise((resolve) => setTimeout(resolve));
  ask("b");
  await new Promise((resolve) => setTimeout(resolve));
  expect(heard).toEqual([undefined, "yes"]);
});
