import { Agent, request } from 'node:http';

type HttpAnswer = { status: number; headers: Headers; body: string };
export type TestRequest = { method: string; path: string; headers?: Record<string, string>; json?: unknown };

export type TestClient = Disposable & {
  send: (sent: TestRequest) => Promise<HttpAnswer & { milliseconds: number }>;
};

export function startTestClient(port: number, maxSockets: number): TestClient {
  const agent = new Agent({ keepAlive: true, maxSockets });

  function send({ method, path, headers, json }: TestRequest): Promise<HttpAnswer & { milliseconds: number }> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer & { milliseconds: number }>();
    const body = json === undefined ? undefined : JSON.stringify(json);
    const about = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const start = performance.now();
    const call = request({ agent, port, method, path, headers: { ...headers, ...about } });
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const milliseconds = performance.now() - start;
        const lines = Object.entries(response.headersDistinct).map(([name, values]) => [
          name,
          values?.join(', ') ?? '',
        ]);
        const status = response.statusCode ?? 0;
        resolve({
          status,
          headers: new Headers(lines as [string, string][]),
          body: Buffer.concat(chunks).toString(),
          milliseconds,
        });
      });
    });
    call.end(body);
    return promise;
  }

  return { send, [Symbol.dispose]: () => agent.destroy() };
}
