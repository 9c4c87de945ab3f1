/**
 * The rule, over one traced run of the service:
 *
 * Each request that changes something writes a text that nothing before it has written: an id, or a sealed name. Let F be the first frame of the write-ahead log, written between the request's read and its answer, whose
 * page holds that text, and C the first commit frame at or after F. The answer 2xx may enter its write to the socket
 * only after an fdatasync (or fsync) of the log has left with 0 that entered after the write of C had left. Frames are
 * written in order by one writer at a time, so such a sync covers F. Once the service's own sync has failed, every later
 * one is worthless until the log was copied into the database file and cut: the kernel may have dropped the pages.
 *
 * A deletion's line in the journal of erasures has to be synced likewise. A request for a code is acknowledged by its
 * message: the 202 leaves at a fixed moment whatever has become of it, so here the rule is held by the write of the
 * message. With one client, besides: no write to the log at all after the entry of the last good sync before an answer.
 */
import { bytesOf, type Call, type Watcher } from './lines.ts';

export interface Wanted {
  /** The User-Agent, by which the request is found. */
  readonly mark: string;
  readonly route: string;
  /** Written by this request first; null: its answer was no 2xx. */
  readonly text: string | null;
  /** Of a deletion: the keyed hash in the journal. */
  readonly erasure: string | null;
  /** Of a request for a code: to whom the message goes. */
  readonly letterTo: string | null;
}

interface UnderWay {
  readonly wanted: Wanted;
  readonly socket: string;
  found: boolean;
  /** The line on which the write of its commit frame has left. */
  committed: number | null;
  synced: boolean;
  journalLine: number | null;
  journalSynced: boolean;
}

const MARK = /user-agent: (sync-[\w-]+)/i;
const STATUS = /"HTTP\/1\.1 (\d{3})/;
const SENDS = /^(write|writev|sendto|sendmsg)$/;
const READS = /^(read|readv|recvfrom|recvmsg)$/;
const FRAME_HEADER = 24;

export class Proof implements Watcher {
  /** Acknowledgements that were held to the rule, by route. */
  readonly held = new Map<string, number>();
  readonly early: string[] = [];
  readonly journalEarly: string[] = [];
  readonly loose: string[] = [];
  logSyncs = 0;
  failedSyncs = 0;
  commits = 0;
  readonly #wanted: ReadonlyMap<string, Wanted>;
  readonly #underWay = new Set<UnderWay>();
  /** The engine's own descriptors of the log. */
  readonly #writers = new Set<string>();
  #logWritten = 0;
  #logSyncedSince = 0;
  #isCommit = false;
  /** The service's own sync of the log has failed, and the log was not cut since. */
  #tainted = false;

  constructor(wanted: readonly Wanted[]) {
    this.#wanted = new Map(wanted.map(one => [one.mark, one]));
  }

  enters(call: Call): void {
    if (!SENDS.test(call.name)) return;
    const status = STATUS.exec(call.args)?.[1];
    for (const one of this.#underWay) {
      const { letterTo } = one.wanted;
      if (letterTo !== null && call.file.includes('/mail/') && call.args.includes(letterTo))
        this.#judge(one, call);
      if (letterTo === null && one.socket === call.file && status?.startsWith('2')) this.#judge(one, call);
      if (letterTo === null && one.socket === call.file && status) this.#underWay.delete(one);
    }
  }

  leaves(call: Call): void {
    const { name, file } = call;
    if (READS.test(name)) this.#reads(call);
    else if (name.startsWith('pwrite') && file.endsWith('-wal')) this.#writesLog(call);
    else if (name === 'write' && file.endsWith('erasures.jsonl')) this.#writesJournal(call);
    else if (name === 'ftruncate' && file.endsWith('-wal')) this.#cutsLog();
    else if (name === 'fdatasync' || name === 'fsync') this.#syncs(call);
  }

  #reads({ args, file }: Call): void {
    const wanted = this.#wanted.get(MARK.exec(args)?.[1] ?? '');
    if (!wanted) return;
    const fresh = { found: false, committed: null, synced: false, journalLine: null, journalSynced: false };
    this.#underWay.add({ wanted, socket: file, ...fresh });
  }

  /** Frames are a header of 24 bytes and a page; the header of a commit's last frame says how long the database is. */
  #writesLog(call: Call): void {
    this.#logWritten = call.left ?? 0;
    this.#writers.add(descriptorOf(call));
    if (call.result === FRAME_HEADER) {
      const header = bytesOf(call.args);
      this.#isCommit = header.length === FRAME_HEADER && header.readUInt32BE(4) !== 0;
      return;
    }
    for (const one of this.#underWay)
      one.found ||= one.wanted.text !== null && call.args.includes(one.wanted.text);
    if (!this.#isCommit) return;
    this.#isCommit = false;
    this.commits += 1;
    for (const one of this.#underWay) if (one.found) one.committed ??= call.left;
  }

  #writesJournal(call: Call): void {
    for (const one of this.#underWay)
      if (one.wanted.erasure !== null && call.args.includes(one.wanted.erasure))
        one.journalLine ??= call.left;
  }

  /** All of it is in the database file: Checkpoints of run.ts hold that. */
  #cutsLog(): void {
    this.#tainted = false;
    this.#logWritten = 0;
    for (const one of this.#underWay) one.synced ||= one.committed !== null;
  }

  #syncs(call: Call): void {
    const { file, entered, result } = call;
    if (file.endsWith('-wal')) {
      this.logSyncs += 1;
      if (result !== 0) {
        this.failedSyncs += 1;
        // A failure that strace makes up reaches one descriptor, a real one would reach them all.
        this.#tainted ||= !this.#writers.has(descriptorOf(call));
        return;
      }
      this.#logSyncedSince = entered;
      if (this.#tainted) return;
      for (const one of this.#underWay) one.synced ||= one.committed !== null && one.committed < entered;
    }
    if (file.endsWith('erasures.jsonl') && result === 0)
      for (const one of this.#underWay)
        one.journalSynced ||= one.journalLine !== null && one.journalLine < entered;
  }

  #judge(one: UnderWay, { entered }: Call): void {
    this.#underWay.delete(one);
    const { route, mark, text, erasure } = one.wanted;
    if (text === null) return;
    this.held.set(route, (this.held.get(route) ?? 0) + 1);
    const at = `${route} (${mark}, line ${entered})`;
    if (!one.found) this.early.push(`${at}: answered before it was written at all`);
    else if (one.committed === null) this.early.push(`${at}: answered before its commit`);
    else if (!one.synced) this.early.push(`${at}: answered before its commit was synced`);
    if (erasure !== null && !one.journalSynced)
      this.journalEarly.push(`${at}: before the journal was synced`);
    if (this.#logSyncedSince <= this.#logWritten && this.#logWritten > 0)
      this.loose.push(`${at}: the log was written after its last sync`);
  }
}

const descriptorOf = ({ args }: Call) => args.slice(0, args.indexOf('<'));
