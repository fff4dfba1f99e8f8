import type { Drill } from './drill.ts';
import { clock } from './clock.ts';
import { failover } from './failover.ts';
import {
  databaseAway,
  domainHistory,
  durability,
  everyScreen,
  foreignOrMissing,
  hostileInput,
  payloads,
} from './longTests.ts';
import { move } from './move.ts';
import { packaging } from './package.ts';
import { shards } from './shards.ts';
import { soak } from './soak.ts';

/** In the order in which they run. */
export const drills: readonly Drill[] = [
  durability,
  databaseAway,
  domainHistory,
  failover,
  shards,
  move,
  clock,
  soak,
  hostileInput,
  foreignOrMissing,
  everyScreen,
  payloads,
  packaging,
];
