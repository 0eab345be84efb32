/**
 * The WebSocket of a table. It comes back by itself after it was lost and then asks for what it has missed; the page
 * hears only messages and whether there is a connection.
 */
import type { FromPage, ToPage } from "./wire";

export interface Line {
  /** Says something to the server; false where there is no connection. */
  send(message: FromPage): boolean;
  close(): void;
}

export interface Ends {
  /** The address to connect to, given the number of the last event that was seen. */
  address: (after: number | undefined) => string;
  heard: (message: ToPage) => void;
  connected: (yes: boolean) => void;
  /** The server does not want this connection, or does not answer for a while: is the seat still ours? */
  doubt: () => void;
}

const NOT_YOURS = 4003; // the seat was given up, perhaps in another window
const DOUBT = 3; // attempts in vain before one asks

const PING = 20_000; // how long a silence may last before it is asked whether anybody is there
const PATIENCE = 8_000; // and how long the answer may take

/** Milliseconds to wait before the next attempt: doubling up to ten seconds, never quite the same for two pages. */
export function wait(attempt: number, chance: number = Math.random()): number {
  return Math.min(10_000, 400 * 2 ** attempt) * (0.75 + 0.5 * chance);
}

export function connect({ address, heard, connected, doubt }: Ends): Line {
  let socket: WebSocket | undefined;
  let last: number | undefined;
  let attempts = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function later(milliseconds: number, act: () => void) {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  }

  function listen() {
    later(PING, () => {
      send({ type: "ping" });
      later(PATIENCE, lose);
    });
  }

  function open() {
    const mine = new WebSocket(address(last));
    socket = mine;
    later(PATIENCE, lose);
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return;
      const message = JSON.parse(String(data)) as ToPage;
      if (message.type === "moved") last = message.state.number;
      attempts = 0;
      listen();
      connected(true);
      heard(message);
    };
    mine.onclose = ({ code }) => {
      if (closed || socket !== mine) return;
      lose();
      if (code === NOT_YOURS || attempts % DOUBT === 0) doubt();
    };
  }

  function lose() {
    const old = socket;
    socket = undefined;
    old?.close();
    if (closed) return;
    connected(false);
    later(wait(attempts), open);
    attempts += 1;
  }

  /** Where the machine has just come back to the net there is nothing to wait for. */
  function hurry() {
    if (!socket) later(0, open);
  }

  function send(message: FromPage): boolean {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  addEventListener("online", hurry);
  open();
  return {
    send,
    close() {
      closed = true;
      clearTimeout(timer);
      removeEventListener("online", hurry);
      const old = socket;
      socket = undefined; // what it still says is not heard
      old?.close();
    },
  };
}
