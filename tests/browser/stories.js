// Plays a random game at the page's table, and yields its choices and what it tells of them to each reader.

async function stories(facts, code, given) {
  const bytes = Uint8Array.from(atob(code), (each) => each.charCodeAt(0));
  const module = await WebAssembly.compile(bytes);
  const table = new Table(module, facts, given.language);
  table.begin({ seed: BigInt(given.seed), settings: given.settings, seats: table.names.map(() => HUMAN), takeback: false });
  const random = playerOf(BigInt(given.seed));
  for (let n = 0; n < given.choices && !table.over; n++) table.choose(below(random, table.engine.count));
  const choices = table.moments.slice(1).map(({ choice: [offer, values] }) => [offer, values.map(Number)]);
  const told = given.viewers.map((viewer) => table.story(viewer).map(({ kind, text }) => [kind, text]));
  return { choices, told };
}
