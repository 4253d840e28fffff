/** Tells how a long read goes on, and says nothing of a short one. */

/** Milliseconds before the first word: nobody wonders about a read that is over by then. */
const QUIET_MS = 1_000;
/** Milliseconds between updates of the line on a terminal. */
const REDRAW_MS = 200;
/** Milliseconds between lines where stderr is a file or a log. */
const LOG_MS = 10_000;

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export class Progress {
  private readonly stream: ProgressStream;
  private readonly clock: () => number;
  private readonly started: number;
  private next: number;
  private drawn = 0;
  /** What was last told, shown or not. */
  private last: string | undefined;

  constructor(stream: ProgressStream, clock: () => number = () => performance.now()) {
    this.stream = stream;
    this.clock = clock;
    this.started = clock();
    this.next = this.started + QUIET_MS;
  }

  /** How far it has come; shown when its time has come, so that it may be called for each page. */
  say(text: string): void {
    this.last = text;
    const now = this.clock();
    if (now < this.next) return;
    const seconds = Math.round((now - this.started) / 1_000);
    const line = `reading ${text} (${seconds} s)`;
    if (this.stream.isTTY === true) {
      this.stream.write(`\r${line.padEnd(this.drawn)}`);
      this.drawn = line.length;
      this.next = now + REDRAW_MS;
    } else {
      this.stream.write(`${line}\n`);
      this.next = now + LOG_MS;
    }
  }

  /**
   * Says that it waits for as long as nothing else is said: a region that does not answer is tried for minutes.
   *
   * @returns ends it.
   */
  waiting(text: string): () => void {
    const timer = setInterval(() => this.say(this.last ?? text), QUIET_MS);
    // Must not keep a process alive that has nothing else to do.
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Takes the line away, so that something else may be written. */
  clear(): void {
    if (this.drawn === 0) return;
    this.stream.write(`\r${' '.repeat(this.drawn)}\r`);
    this.drawn = 0;
  }
}
