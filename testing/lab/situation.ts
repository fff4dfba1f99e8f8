import type { Watched } from '#contract/domains/dnsCheck.ts';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import type { ListedDomain } from './runCheckCommand.ts';

// What an expert says of a domain, written before the engine was run. The lab is built from it.

export type Zone = {
  /** Without the final dot. */
  name: string;
  /** Zone-file text, without the SOA and the NS records of the zone itself. `$ORIGIN` is the zone. */
  text: string;
  /** Name servers in the zone itself; by default ns1.dnshost.net and ns2.dnshost.net. */
  ns?: readonly string[];
  /**
   * Name servers in the parent zone, which are those at the registrar; by default `ns`. An empty list: it is not
   * delegated.
   */
  parentNs?: readonly string[];
  /** Another text at one of the name servers, which may have its own SOA; null if it does not have the zone. */
  at?: Readonly<Record<string, string | null>>;
  /**
   * Signed, with a DS record in the parent zone. `broken`: the signatures do not match; `expired`: they have expired.
   */
  signed?: 'right' | 'broken' | 'expired';
  /** Name servers that serve the signed zone without its signatures. */
  unsignedAt?: readonly string[];
  /** TTL in seconds of all records and of negative answers; by default 300. */
  ttl?: number;
  serial?: number;
  /** First name server in the SOA; by default the first of `ns`. */
  primary?: string;
};

export type Situation = {
  /** Lower case with dashes. */
  id: string;
  /** What an expert in mail and DNS would say to the domain's owner, in one to three sentences. */
  expert: string;
  /** The sending domain. Unique among all situations, below com, net, org or co.uk. */
  domain: string;
  /** `mail_from_domain` of the sending domain; by default null. */
  mailFrom?: string | null;
  /** The records that the service lists, as the interface describes them. The first one is judged; the others are context. */
  records: readonly { type: string; name: string; value: string; is_valid?: boolean }[];
  /** The owner's zones. The provider's zones always exist. */
  zones: readonly Zone[];
  /** The resolver to query; by default a validating one. */
  resolver?: string;
  /** More arguments of the command. */
  options?: readonly string[];
  expect: {
    result: RecordStatus | readonly RecordStatus[];
    /** The code of the finding, where it must not change or no test in `server/dns` has it. */
    code?: string;
    /** Who has to act. */
    turn?: ResponsibleParty | null | readonly (ResponsibleParty | null)[];
    /** What the diagnosis and the todo, joined, must and must not contain. */
    says?: readonly RegExp[];
    neverSays?: readonly RegExp[];
    /** The offered fix. Null: nothing may be offered. Undefined: not checked. */
    fix?: null | {
      host?: string | null;
      name?: string;
      type?: string;
      /** A string is compared exactly. */
      value?: string | RegExp;
      priority?: number | null;
      todo?: RegExp;
    };
    /** Patterns that no offer may match. */
    neverOffers?: readonly RegExp[];
    /** The expected advice: its result, and what it says. */
    advice?: Readonly<
      Record<
        string,
        { result: RecordStatus | readonly RecordStatus[]; says?: readonly RegExp[]; value?: string | RegExp | null }
      >
    >;
    /** What is watched: a pattern for each value found, in its order. */
    watched?: Readonly<Partial<Record<Watched, readonly RegExp[]>>>;
  };
};

/** As the service lists it. */
export function listedDomain({ domain, mailFrom = null, records }: Situation): ListedDomain {
  const dns = records.map((record) => ({ is_valid: false, ...record }));
  return { name: domain, mail_from_domain: mailFrom, dns };
}
