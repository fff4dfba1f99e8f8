/** The path of a request, without its query string. */
export function requestPath({ url }: { readonly url: string }): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
