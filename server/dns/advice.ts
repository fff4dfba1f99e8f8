import type { Finding } from '#contract/dnsCheck.ts';
import { adviceFinding } from './adviceFindings.ts';
import type { Ask, Asker } from './asker.ts';
import { judgeAlignment, judgeDmarc } from './dmarcAdvice.ts';
import { type Expectation, publicName, type SendingDomain } from './expectation.ts';
import { inOrderOfArrival } from './inOrderOfArrival.ts';
import { LookUps, type Walk } from './lookUps.ts';
import { judgeMx, judgeSpf } from './mailFromAdvice.ts';

/** What is not among the records of a domain but matters to its mail. */
export type Advice = {
  kind: 'advice';
  domain: string;
  about: 'dmarc' | 'alignment' | 'mail_from_mx' | 'mail_from_spf';
  finding: Finding;
};

/** Asks what matters besides the `listed` records, and gives each advice when it is known. */
export async function* advise(
  asker: Asker,
  ask: Ask,
  { name, mail_from_domain }: SendingDomain,
  listed: readonly Expectation[],
): AsyncGenerator<Advice, void, void> {
  const domain = publicName(name);
  if (domain === null) return;
  const adviser = new Adviser(new LookUps(asker, ask, domain, publicName(mail_from_domain ?? '')), listed);
  for await (const { about, finding } of inOrderOfArrival(adviser.run())) {
    if (finding !== null) yield { kind: 'advice', domain: name, about, finding };
  }
}

class Adviser {
  readonly #lookUps: LookUps;
  readonly #listed: readonly Expectation[];

  constructor(lookUps: LookUps, listed: readonly Expectation[]) {
    this.#lookUps = lookUps;
    this.#listed = listed;
  }

  /** The finding is null where there is nothing to say, or where the listed records say it. */
  run(): Promise<{ about: Advice['about']; finding: Finding | null }>[] {
    const walk = this.#lookUps.walk(this.#lookUps.domain);
    const dmarc = walk.then((steps) => this.#dmarc(steps));
    const alignment = walk.then((steps) => this.#alignment(steps));
    const mx = this.#mailFromMx();
    // Following an SPF record may take all questions that are left.
    const spf = this.#mailFromSpf(Promise.all([dmarc, alignment, mx]));
    return [
      dmarc.then((finding) => ({ about: 'dmarc', finding })),
      alignment.then((finding) => ({ about: 'alignment', finding })),
      mx.then((finding) => ({ about: 'mail_from_mx', finding })),
      spf.then((finding) => ({ about: 'mail_from_spf', finding })),
    ];
  }

  async #dmarc(walk: Walk): Promise<Finding | null> {
    const { domain } = this.#lookUps;
    const isListed = this.#listed.some(({ name }) => name === `_dmarc.${domain}`);
    if (isListed && walk.steps[0]?.record === null) return null;
    return adviceFinding(domain, await judgeDmarc(this.#lookUps, walk), walk.asked);
  }

  async #alignment(walk: Walk): Promise<Finding | null> {
    const signers = [...new Set(this.#listed.flatMap(({ name }) => name.split('._domainkey.')[1] ?? []))];
    const judged = await judgeAlignment(this.#lookUps, walk, signers);
    return judged && adviceFinding(this.#lookUps.domain, judged.judgement, judged.asked);
  }

  async #mailFromMx(): Promise<Finding | null> {
    const { domain, mailFrom } = this.#lookUps;
    if (mailFrom === null || this.#has(mailFrom, ({ type }) => type === 'MX')) return null;
    const told = await this.#lookUps.lookUp(mailFrom, 'MX');
    return adviceFinding(domain, judgeMx(told), [told]);
  }

  async #mailFromSpf(others: Promise<unknown>): Promise<Finding | null> {
    const { domain, mailFrom } = this.#lookUps;
    if (mailFrom === null || this.#has(mailFrom, ({ purpose }) => purpose === 'spf')) return null;
    const told = await this.#lookUps.lookUp(mailFrom, 'TXT');
    await others;
    return adviceFinding(domain, await judgeSpf(this.#lookUps, told), [told]);
  }

  /** Where a CNAME is listed it brings all the rest. */
  #has(name: string, is: (record: Expectation) => boolean): boolean {
    return this.#listed.some((record) => record.name === name && (is(record) || record.type === 'CNAME'));
  }
}
