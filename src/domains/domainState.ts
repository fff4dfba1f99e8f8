import { DOMAIN_STATE_WORDS, type DomainState } from '#contract/domains/domainState.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';

const TONES: Record<DomainState, Tone> = { healthy: 'good', warning: 'warn', pending: 'wait', failing: 'bad' };

/** The word and the colour of a state; null if the service doesn't send enough to know it. */
export const describeState = (state: DomainState | null): { tone: Tone; label: string } =>
  state === null ? { tone: 'neutral', label: 'Unknown' } : { tone: TONES[state], label: DOMAIN_STATE_WORDS[state] };
