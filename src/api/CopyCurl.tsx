import type { Endpoint, EndpointInput } from '#contract/endpoint.ts';
import { useCopy } from '../ui/copy.ts';
import { ApiError } from './ApiError.ts';
import classes from './CopyCurl.module.css';
import { curlCommand } from './curl.ts';

type Props<E extends Endpoint> = {
  endpoint: E;
  /** Null while the request is incomplete. */
  input: EndpointInput<E> | null;
};

/** Copies the request that a form would send, as a curl command. */
export function CopyCurl<E extends Endpoint>({ endpoint, input }: Props<E>) {
  const command = input === null ? null : createCommand(endpoint, input);
  const { state, copy } = useCopy(command ?? '', 'as curl');
  return (
    <button
      type="button"
      className={classes.link}
      title="The same call for a shell. It takes the token from $TOKEN."
      disabled={command === null}
      onClick={copy}
    >
      {{ idle: 'Copy as curl', copied: 'Copied', failed: 'Cannot copy here' }[state]}
    </button>
  );
}

/** Null where `input` makes no valid request: sending it shows the error. */
function createCommand<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): string | null {
  try {
    return curlCommand(endpoint, input);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
