import type { Terminal } from './terminal.ts';

/** From the call on, shows how many rows are done, how many a second, and the time left. `noun` is what they are. */
export function startRowProgress(terminal: Terminal, noun: string): (rows: number, share: number | null) => void {
  const start = performance.now();
  return (rows, share) => {
    terminal.progress(share, describeProgress(rows, noun, share, (performance.now() - start) / 1000));
  };
}

/** `share` of all is done after `seconds`; null when it is not known. The first second says nothing about the rest. */
export function describeProgress(rows: number, noun: string, share: number | null, seconds: number): string {
  const parts = [`${rows.toLocaleString('en')} ${noun}`];
  if (seconds >= 1) {
    parts.push(`${Math.round(rows / seconds).toLocaleString('en')}/s`);
    if (share !== null && share > 0) parts.push(`${spellSeconds((seconds * (1 - share)) / share)} left`);
  }
  return parts.join(', ');
}

function spellSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
