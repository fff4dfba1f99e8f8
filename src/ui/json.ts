/** `value` as JSON text; a payload nested beyond what the browser can write says so instead of failing the page. */
export function formatJson(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return '(nested too deeply to show)';
  }
}
