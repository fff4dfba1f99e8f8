import type { Situation } from '../situation.ts';
import { delegationSituations } from './delegationSituations.ts';
import { dkimSituations } from './dkimSituations.ts';
import { dmarcSituations } from './dmarcSituations.ts';
import { fixSituations } from './fixSituations.ts';
import { hostSituations } from './hostSituations.ts';
import { incomingSituations } from './incomingSituations.ts';
import { mxSituations } from './mxSituations.ts';
import { placementSituations } from './placementSituations.ts';
import { resolverSituations, uselessResolverSituations } from './resolverSituations.ts';
import { rightSituations } from './rightSituations.ts';
import { senderSituations } from './senderSituations.ts';
import { serverSituations, unansweredSituations } from './serverSituations.ts';
import { spfSituations } from './spfSituations.ts';
import { wildcardSituations } from './wildcardSituations.ts';

export const SITUATIONS: readonly Situation[] = [
  ...rightSituations,
  ...placementSituations,
  ...wildcardSituations,
  ...dkimSituations,
  ...mxSituations,
  ...spfSituations,
  ...dmarcSituations,
  ...fixSituations,
  ...delegationSituations,
  ...hostSituations,
  ...incomingSituations,
  ...senderSituations,
  ...unansweredSituations,
  ...serverSituations,
  ...uselessResolverSituations,
  ...resolverSituations,
];
