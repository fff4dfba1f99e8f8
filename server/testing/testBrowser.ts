export class TestBrowser {
  readonly #publicUrl: string;
  readonly #serviceUrl: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(publicUrl: string, serviceUrl: string) {
    this.#publicUrl = publicUrl;
    this.#serviceUrl = serviceUrl;
  }

  get cookies(): string {
    return this.#cookiesOf(this.#publicUrl);
  }

  async visit(address: string, headers: Record<string, string> = {}): Promise<{ status: number; next: string | null }> {
    const url = new URL(address);
    const real = address.startsWith(this.#publicUrl)
      ? this.#serviceUrl + address.slice(this.#publicUrl.length - 1)
      : address;
    const response = await fetch(real, {
      redirect: 'manual',
      headers: { ...headers, cookie: this.#cookiesOf(address) },
    });
    const jar = this.#cookies.getOrInsertComputed(url.origin, () => new Map());
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    await response.arrayBuffer();
    return { status: response.status, next: location === null ? null : new URL(location, url).href };
  }

  async follow(address: string, stop: (next: string) => boolean = () => false): Promise<string> {
    let at = address;
    for (let step = 0; step < 20; step++) {
      const { next } = await this.visit(at);
      if (next === null) return at;
      if (stop(next)) return next;
      at = next;
      // A page of the console, which these tests have not built.
      if (at.startsWith(this.#publicUrl) && !new URL(at).pathname.includes('/session/account')) return at;
    }
    throw new Error('It never ends.');
  }

  #cookiesOf(address: string): string {
    const jar = this.#cookies.get(new URL(address).origin) ?? new Map<string, string>();
    return Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
  }
}
