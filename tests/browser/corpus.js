// Plays given choices in the page's own engine, and yields what the test compares with Python.

async function corpus(facts, code, given) {
  const bytes = Uint8Array.from(atob(code), (each) => each.charCodeAt(0));
  const module = await WebAssembly.compile(bytes);
  const engine = new Engine(module, facts);
  const languages = given.languages.map((each) => new Words(facts, each));
  const players = facts.domains[facts.players].members.map((_, each) => each);
  const hash = (numbers) => numbers.reduce((sum, each) => (Math.imul(sum, 31) + each) | 0, 0);
  const seated = () => players.filter((player) => facts.seats === null || (engine.vector[facts.seats] >> player) & 1);
  const others = (engine, words, seats, viewer) =>
    seats.flatMap((player) => {
      const texts = near(engine, words, player, viewer, seats.length > 2);
      const what = `${words.say("victory")} (${words.member(facts.players, player)})`;
      return texts.length ? [words.say("so", { what, result: texts.join(" · ") })] : [];
    });
  const forecasts = new Forecasts(module, facts);
  const taking = given.kept ? new TakingBack(module, facts) : null;
  const stop = (told, kept = "", said = []) => ({
    kept,
    said: [said],
    state: hash(Array.from(engine.vector)),
    options: engine.count ? Array.from({ length: Math.min(engine.count, given.most) }, (_, n) => languages.map((each) => engine.label(each, n))) : [],
    count: engine.count,
    player: engine.count ? engine.player : null,
    prompt: engine.count ? languages.map((each) => engine.prompt(each)) : [],
    apart: engine.count && engine.count <= given.most ? engine.toldApart(languages[0], given.most) : [],
    does: engine.count ? languages.map((each) => forecasts.told(Int32Array.from(engine.vector), each, given.most)) : [],
    goals: languages.map((each) => [null, ...players].map((player) => goals(engine, each, player).map(([kind, texts]) => each.say("so", { what: each.say(kind), result: texts.join(" · ") })))),
    near: players.map((viewer) => others(engine, languages[0], seated(), viewer)),
    log: told.map((entry) => [null, ...players].map((viewer) => entryText(entry, languages[0], viewer))),
    seen: facts.vars.map((each, n) => (each.hidden ? players.map((player) => hash(Array.from({ length: each.of === null ? 1 : facts.domains[each.of].members.length }, (_, member) => Number(engine.sees(n, member, player))))) : 0)),
    sentence: languages.map((each) => engine.sentence(each)),
  });
  const found = [stop(engine.start(BigInt(given.seed), given.settings))];
  const random = playerOf(BigInt(given.seed));
  for (let n = 0; n < given.choices && engine.count; n++) {
    const before = Int32Array.from(engine.vector);
    const number = below(random, engine.count);
    const choice = choiceOf(engine, number);
    const saying = facts.hides && !["pass", "stop"].includes(engine.offer(number).kind) ? engine.saying(number) : null;
    const told = engine.choose(number);
    const kept = taking?.keptBy(before, Int32Array.from(engine.vector), choice);
    found.push(stop(told, kept, saying ? players.map((viewer) => engine.openLabel(languages[0], saying, viewer)) : []));
  }
  return found;
}
