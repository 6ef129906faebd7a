// Computer players that think, in a worker, so that the page stays alive; one that hangs is ended.

const PATIENCE = 15;

export class Thoughts {
  constructor(code, facts) {
    this.code = code;
    this.facts = facts;
    this.worker = null;
  }

  /** The number of the option that a seat chooses; null where it found none in time; less than 0: the fault of a rule that says what
   * the position is worth. */
  choose(table, seat) {
    const { facts } = this;
    const [, effort = "1s"] = seat.split(":");
    const playouts = effort.endsWith("s") ? null : Number(effort);
    const seconds = playouts === null ? Number(effort.slice(0, -1)) : null;
    const made = BigInt(table.moments.length - 1);
    const thought = {
      state: Int32Array.from(table.engine.vector),
      seed: table.seed * BigInt(facts.thinks.apart) + made,
      playouts,
      seconds,
      info: facts.info,
      player: table.player,
    };
    const patience = 1000 * (PATIENCE + (seconds ?? 60));
    return new Promise((resolve) => {
      const fresh = !this.worker;
      try {
        this.worker ??= this.started();
      } catch {
        resolve(null);
        return;
      }
      const { worker } = this;
      const end = (choice) => {
        clearTimeout(timer);
        worker.onmessage = worker.onerror = null;
        if (choice === null) {
          worker.terminate();
          this.worker = null;
        }
        resolve(choice);
      };
      const timer = setTimeout(() => end(null), patience);
      worker.onmessage = ({ data }) => end(data);
      worker.onerror = (event) => {
        event.preventDefault();
        end(null);
      };
      worker.postMessage({ ...(fresh ? { code: this.code, budget: facts.budget, known: facts.thinks } : {}), thought });
    });
  }

  started() {
    const source = new Blob([document.getElementById("thinker").textContent], { type: "text/javascript" });
    const address = URL.createObjectURL(source);
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    return worker;
  }
}
