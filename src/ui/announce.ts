/** Says `text` to screen readers, politely: the result of an action that moves no focus. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}
