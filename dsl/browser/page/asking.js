// Asks the engine of the command that serves this page: why something happened, and why something cannot be done.

/** Does the page come from `scenarii play --browser`? */
export function served() {
  return Boolean(document.querySelector("meta[name=scenarii-version]"));
}

/** Lines of text about the game as it stands (`about`: an action; null: the rules that took effect); null: no
 * answer. */
export async function answered(table, about) {
  const { moments, viewer, words, facts } = table;
  const own = moments.findLastIndex((moment) => moment.choice && (viewer === null || moment.player === viewer));
  const question = {
    save: await table.save(),
    player: facts.hides ? viewer : null,
    language: words.language || facts.language,
    last: own > 0 ? moments.length - own : Math.max(1, moments.length - 1),
    about,
  };
  try {
    const answer = await fetch("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), cache: "no-store" });
    const text = await answer.text();
    return answer.ok || answer.status === 409 ? text.split("\n") : null;
  } catch {
    return null; // the command has ended
  }
}
