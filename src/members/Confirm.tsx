import type { ReactNode } from 'react';
import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ConfirmDialog } from '../api/FormDialog.tsx';
import { announce } from '../ui/page/announce.ts';
import { unlessGone, usePeopleChange } from './queries.ts';

type Props<E extends Endpoint> = {
  title: ReactNode;
  /** What happens then. */
  children: ReactNode;
  /** The word on the button, as in "Remove". */
  act: string;
  /** What is said afterwards. */
  done: string;
  endpoint: E;
  input: EndpointInput<E>;
  /** The lists to read again. */
  lists: readonly { id: string }[];
  onClose: () => void;
  /** Gets the response; undefined where there is none. */
  onDone?: (response: EndpointReading<E> | undefined) => void;
};

/** Asks before somebody or something loses access. */
export function Confirm<E extends Endpoint>(props: Props<E>) {
  const { title, children, act, done, endpoint, input, lists, onClose, onDone } = props;
  const change = usePeopleChange(lists, () => unlessGone(request(endpoint, input)));
  const send = () =>
    change.mutate(undefined, {
      onSuccess: (response) => {
        onClose();
        onDone?.(response);
        announce(done);
      },
    });
  return (
    <ConfirmDialog
      title={title}
      act={act}
      call={change}
      curl={<CopyCurl endpoint={endpoint} input={input} />}
      onSubmit={send}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
