import type { Drill } from './drill.ts';
import { clock } from './clock.ts';
import { databaseAway } from './databaseAway.ts';
import { durability } from './durability.ts';
import { everyScreen } from './everyScreen.ts';
import { failover } from './failover.ts';
import { foreignOrMissing } from './foreignOrMissing.ts';
import { flood } from './flood.ts';
import { hostileInput } from './hostileInput.ts';
import { overload } from './overload.ts';
import { packaging } from './package.ts';
import { payloads } from './payloads.ts';
import { randomWalk } from './randomWalk.ts';
import { slowCallers } from './slowCallers.ts';
import { soak } from './soak.ts';
import { sqlmap } from './sqlmap.ts';

/** In the order in which they run. */
export const drills: readonly Drill[] = [
  durability,
  databaseAway,
  failover,
  clock,
  soak,
  flood,
  slowCallers,
  overload,
  hostileInput,
  foreignOrMissing,
  sqlmap,
  everyScreen,
  payloads,
  randomWalk,
  packaging,
];
