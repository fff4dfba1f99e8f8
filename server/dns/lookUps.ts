import { isWithin } from '#contract/dnsName.ts';
import type { Ask, Asker, Reply } from './asker.ts';
import { askAuthorities, askResolvers, usable } from './authorities.ts';
import type { Data } from './message.ts';
import { parentOf } from './names.ts';
import { isRegistry } from './probes.ts';
import { endsWalk, recordIn, type Step, walkTargets } from './treeWalk.ts';

/** What one question came to; `answers` is null when nobody could be asked. */
export type Told = {
  name: string;
  type: 'TXT' | 'MX' | 'A' | 'AAAA';
  /** Where the name lies; empty when nobody could tell. */
  zone: string;
  replies: Reply[];
  answers: Data[] | null;
};

/** A walk up from `domain`. `untold` is the question that had no answer, where it ended too early. */
export type Walk = { domain: string; asked: [Told, ...Told[]]; steps: (Step & { at: Told })[]; untold: Told | null };

/** Asks what concerns a sending domain and its MAIL FROM name. */
export class LookUps {
  readonly domain: string;
  readonly mailFrom: string | null;
  readonly #asker: Asker;
  readonly #ask: Ask;
  /** The zone of the sending domain once it is known; its servers are asked for all that lies in it. */
  #zone = '';

  constructor(asker: Asker, ask: Ask, domain: string, mailFrom: string | null) {
    this.#asker = asker;
    this.#ask = ask;
    this.domain = domain;
    this.mailFrom = mailFrom;
  }

  /** Asks one server in charge of what lies in the zone of the domain or of its MAIL FROM name, and resolvers otherwise. */
  async lookUp(name: string, type: Told['type']): Promise<Told> {
    const base = this.#baseOf(name);
    if (base === null) return this.resolve(name, type);
    const { zone, replies } = await askAuthorities(this.#asker, this.#ask, base, name, type, 'first');
    if (base === this.domain && isWithin(this.domain, zone)) this.#zone = zone;
    const answers = answersIn(replies);
    // A server in charge does not follow an alias out of its zone.
    const isAlias = answers?.some((data) => data.type === 'CNAME') && !answers.some((data) => data.type === type);
    if (answers !== null && !isAlias) return { name, type, zone, replies, answers };
    const resolved = await this.resolve(name, type);
    return { ...resolved, zone: zone || resolved.zone, replies: [...replies, ...resolved.replies] };
  }

  async resolve(name: string, type: Told['type']): Promise<Told> {
    const reply = await askResolvers(this.#asker, this.#ask, name, type);
    const replies = reply === null ? [] : [reply];
    const zone = (reply && usable(reply)?.authority?.zone) ?? '';
    return { name, type, zone, replies, answers: answersIn(replies) };
  }

  async walk(domain: string): Promise<Walk> {
    const first = await this.lookUp(`_dmarc.${domain}`, 'TXT');
    const walk: Walk = { domain, asked: [first], steps: [], untold: null };
    for (const target of walkTargets(domain)) {
      const at = target === domain ? first : await this.lookUp(`_dmarc.${target}`, 'TXT');
      if (at !== first) walk.asked.push(at);
      if (at.answers === null) return { ...walk, untold: at };
      const step = { domain: target, record: recordIn(textsOf(at)), at };
      walk.steps.push(step);
      if (endsWalk(step)) break;
    }
    return walk;
  }

  #baseOf(name: string): string | null {
    if (isWithin(name, this.domain) || (this.#zone !== '' && isWithin(name, this.#zone))) return this.domain;
    if (this.mailFrom === null || !isWithin(name, this.mailFrom)) return null;
    const parent = parentOf(this.mailFrom);
    return isRegistry(parent) ? this.mailFrom : parent;
  }
}

function answersIn(replies: readonly Reply[]): Data[] | null {
  return replies.map(usable).find((message) => message !== null)?.answers ?? null;
}

export function textsOf({ answers }: Told): string[] {
  return (answers ?? []).flatMap(({ type, value }) => (type === 'TXT' ? [value] : [])).toSorted();
}
