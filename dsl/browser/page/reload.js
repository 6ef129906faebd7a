// Where a page comes from `scenarii play --browser`: it is loaded again when the game's sources have changed.

const KEPT = "scenarii";
const EVERY = 700;

/** What was kept before the page was loaded again; null where nothing was. */
export function kept() {
  try {
    const found = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return found === null ? null : JSON.parse(found);
  } catch {
    return null;
  }
}

/** Asks the server every moment which version there is; `keep` gives what to go on from. */
export function watch(keep = () => null) {
  const version = document.querySelector("meta[name=scenarii-version]")?.content;
  if (!version) return;
  const timer = setInterval(async () => {
    try {
      const answer = await fetch("version", { cache: "no-store" });
      if (!answer.ok || (await answer.text()) === version) return;
    } catch {
      return; // the command has ended
    }
    clearInterval(timer);
    const found = keep();
    try {
      if (found) sessionStorage.setItem(KEPT, JSON.stringify(found));
    } catch {
      // nothing can be kept here: the game begins anew
    }
    location.reload();
  }, EVERY);
}
