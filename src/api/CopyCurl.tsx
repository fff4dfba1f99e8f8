import type { Endpoint, EndpointInput } from '#contract/openapi/endpoint.ts';
import { useCopy } from '../ui/page/copy.ts';
import classes from './CopyCurl.module.css';
import { curlCommand } from './curl.ts';

type Props<E extends Endpoint> = {
  endpoint: E;
  /** Null while incomplete. */
  input: EndpointInput<E> | null;
};

export function CopyCurl<E extends Endpoint>({ endpoint, input }: Props<E>) {
  const command = input === null ? null : curlCommand(endpoint, input);
  const { state, copy } = useCopy(command ?? '', 'as curl');
  return (
    <button
      type="button"
      className={classes.link}
      title="The same request for a shell, with the token from $TOKEN."
      disabled={command === null}
      onClick={copy}
    >
      {{ idle: 'Copy as curl', copied: 'Copied', failed: 'Can’t copy here' }[state]}
    </button>
  );
}
