/** The addresses of the page. Links are plain `<a href>`; a click on one that stays here changes the page without loading it. */

export type Route =
  | { page: "lobby" }
  | { page: "paste" }
  | { page: "back" }
  | { page: "table"; table: string }
  | { page: "review"; source: "tables" | "records"; id: string; deal: number; step: number }
  | { page: "lost" };

const ID = "[A-Za-z0-9_-]+";

export function parseRoute(path: string): Route {
  if (path === "/") return { page: "lobby" };
  if (path === "/paste") return { page: "paste" };
  if (path === "/back") return { page: "back" };
  const table = new RegExp(`^/t/(${ID})/?$`).exec(path)?.[1];
  if (table) return { page: "table", table };
  const looked = new RegExp(`^/([tr])/(${ID})/(\\d+)(?:/(\\d+))?/?$`).exec(path);
  if (looked) {
    const [, kind, id = "", deal, step = "0"] = looked;
    return { page: "review", source: kind === "t" ? "tables" : "records", id, deal: Number(deal), step: Number(step) };
  }
  return { page: "lost" };
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case "paste":
      return "/paste";
    case "back":
      return "/back";
    case "table":
      return `/t/${route.table}`;
    case "review":
      return `/${route.source === "tables" ? "t" : "r"}/${route.id}/${route.deal}/${route.step}`;
    default:
      return "/";
  }
}

/** Goes to another address of the page; `replace` leaves no step in the history, as for the steps of a replay. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** The address a click asks for, where this page can show it itself. */
export function followed(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return undefined;
  if (link.hash && link.pathname === location.pathname) return undefined;
  return parseRoute(link.pathname).page === "lost" ? undefined : link.pathname + link.search + link.hash;
}
