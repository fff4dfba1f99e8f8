import type { ReactNode } from 'react';
import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ConfirmDialog } from '../api/FormDialog.tsx';
import { unlessGone, useDialogChange } from './queries.ts';

type Props<E extends Endpoint> = {
  title: ReactNode;
  children: ReactNode;
  act: string;
  done: string;
  endpoint: E;
  input: EndpointInput<E>;
  lists: readonly { id: string }[];
  onClose: () => void;
  /** `response` is undefined if someone else was faster. */
  onDone?: (response: EndpointReading<E> | undefined) => void;
};

export function Confirm<E extends Endpoint>(props: Props<E>) {
  const { title, children, act, endpoint, input, lists, ...rest } = props;
  const dialog = useDialogChange(lists, () => unlessGone(request(endpoint, input)), rest);
  return (
    <ConfirmDialog {...dialog} title={title} act={act} curl={<CopyCurl endpoint={endpoint} input={input} />}>
      {children}
    </ConfirmDialog>
  );
}
