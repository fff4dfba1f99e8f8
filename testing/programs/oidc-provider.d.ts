// What the tests use of oidc-provider, which comes without types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type IdToken = { extra: Record<string, unknown>; available: { sub: string }; client: { clientId: string } };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    Grant: new (of: { clientId: string; accountId: string }) => {
      addOIDCScope: (scope: string) => void;
      save: () => Promise<string>;
    };
    IdToken: { prototype: { issue: (this: IdToken, options: { use: string }) => Promise<string> } };
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this;
  }
}
