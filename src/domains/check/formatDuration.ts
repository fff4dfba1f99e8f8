/** "in 12 min", "in 3 h", rounded up; "soon" once the time has come. */
export function describeWait(until: Date, now = Date.now()): string {
  const minutes = Math.ceil((until.getTime() - now) / 60_000);
  if (minutes <= 0) return 'soon';
  return minutes < 60 ? `in ${minutes} min` : `in ${Math.ceil(minutes / 60)} h`;
}

/** Whole seconds in their two largest units: "42 s", "3 min 20 s", "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
