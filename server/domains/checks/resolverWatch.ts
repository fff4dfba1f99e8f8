import { addGauge, type Metrics } from '../../metrics/metrics.ts';

/** Different domains in a row: one or two can have a fault of their own. */
const DOMAINS = 3;

/** Notices that our own resolvers don't respond, from checks of several domains in a row. */
export class ResolverWatch {
  readonly #onChange: (isDown: boolean) => void;
  readonly #unreachable = new Set<string>();
  #isDown = false;

  /** `onChange` is called when it begins and when it's over. */
  constructor(onChange: (isDown: boolean) => void) {
    this.#onChange = onChange;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** What a check says: whether no resolver responded. */
  see(domain: string, isUnreachable: boolean): void {
    if (isUnreachable) this.#unreachable.add(domain);
    else this.#unreachable.clear();
    const isDown = isUnreachable && (this.#isDown || this.#unreachable.size >= DOMAINS);
    if (isDown === this.#isDown) return;
    this.#isDown = isDown;
    this.#onChange(isDown);
  }
}

export function registerResolverMetric(metrics: Metrics, watch: Pick<ResolverWatch, 'isDown'>): void {
  const help = '1 while no resolver responds, else 0.';
  addGauge(metrics, { name: 'sendroom_resolvers_unreachable', help }, () => Number(watch.isDown));
}
