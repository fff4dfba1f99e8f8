import { aliasFaults } from './aliasFaults.ts';
import { exchangerFaults } from './exchangerFaults.ts';
import type { Fault } from './fault.ts';
import { keyFaults } from './keyFaults.ts';
import { nameFaults } from './nameFaults.ts';
import { policyFaults } from './policyFaults.ts';
import { serverFaults } from './serverFaults.ts';
import { spfFaults } from './spfFaults.ts';
import { strangeFaults } from './strangeFaults.ts';

export const FAULTS: readonly Fault[] = [
  ...nameFaults,
  ...aliasFaults,
  ...exchangerFaults,
  ...spfFaults,
  ...keyFaults,
  ...policyFaults,
  ...serverFaults,
  ...strangeFaults,
];
