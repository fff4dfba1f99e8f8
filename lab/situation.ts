import type { CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';

// What an expert says of a domain, written before the engine was asked. The world of the lab is built from it.

export type Zone = {
  /** Without the final dot. */
  name: string;
  /** Zone-file text, without the SOA and the NS records of the zone itself. `$ORIGIN` is the zone. */
  text: string;
  /** Name servers that the zone itself names; ns1.dnshost.net and ns2.dnshost.net unless said. */
  ns?: readonly string[];
  /** Name servers that the zone above names, which are those at the registrar; `ns` unless said. An empty list: it is not delegated. */
  parentNs?: readonly string[];
  /** Another text at one of the name servers, which may have an SOA of its own; null where it does not have the zone. */
  at?: Readonly<Record<string, string | null>>;
  /** Signed, with a DS record in the zone above. `broken`: what is served does not match its signatures; `expired`: they are. */
  signed?: 'right' | 'broken' | 'expired';
  /** Seconds of all records and of "there is nothing"; 300 unless said. */
  ttl?: number;
  serial?: number;
  /** First name server in the SOA; the first of `ns` unless said. */
  primary?: string;
};

export type Situation = {
  /** Unique; lower case with dashes. */
  id: string;
  /** What an expert of mail and DNS would tell the owner of the domain, in one to three sentences. */
  expert: string;
  /** The sending domain. Unique among all situations, below com, net, org or co.uk. */
  domain: string;
  /** `mail_from_domain` of the sending domain; null unless said. */
  mailFrom?: string | null;
  /** The records that the service lists, as the interface describes them. The first one is judged; the others are context. */
  records: readonly { type: string; name: string; value: string; is_valid?: boolean }[];
  /** Zones of the owner, besides those of the provider that are always there. */
  zones: readonly Zone[];
  /** The resolver that is asked; one that validates unless said. */
  resolver?: string;
  /** More arguments of the command. */
  options?: readonly string[];
  expect: {
    result: CheckResult | readonly CheckResult[];
    /** Who has to act. */
    turn?: ResponsibleParty | null | readonly (ResponsibleParty | null)[];
    /** What the diagnosis and the todo, joined, must and must not hold. */
    says?: readonly RegExp[];
    neverSays?: readonly RegExp[];
    /** What is offered for typing. Null: nothing may be offered. Undefined: not looked at. */
    fix?: null | {
      host?: string | null;
      name?: string;
      type?: string;
      /** A text is compared exactly. */
      value?: string | RegExp;
      priority?: number | null;
      todo?: RegExp;
    };
    /** Whatever is offered must never match. */
    neverOffers?: readonly RegExp[];
    /** Advice about a matter: its result, and what it says. */
    advice?: Readonly<
      Record<
        string,
        { result: CheckResult | readonly CheckResult[]; says?: readonly RegExp[]; value?: string | RegExp | null }
      >
    >;
  };
};
