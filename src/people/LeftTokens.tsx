import { Button } from '@mantine/core';
import { listSessions, listTokens, type ReadableMember, type ReadableToken, revokeToken } from '#contract/people.ts';
import { request } from '../api/client.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { roleName } from '../session/roleNames.ts';
import { announce } from '../ui/announce.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './People.module.css';
import { unlessGone, usePeopleChange } from './queries.ts';

type Props = { member: ReadableMember; tokens: readonly ReadableToken[]; onClose: () => void };

/** Offers to revoke the tokens that a removed member created. */
export function LeftTokens({ member, tokens, onClose }: Props) {
  const revoke = usePeopleChange([listTokens, listSessions], async () => {
    for (const { uuid } of tokens) await unlessGone(request(revokeToken, { token: uuid }));
  });
  const send = () =>
    revoke.mutate(undefined, {
      onSuccess: () => {
        onClose();
        announce('The tokens are revoked');
      },
    });
  return (
    <Dialog title="Revoke their tokens too?" onClose={onClose}>
      <Form className={classes.form} onSubmit={send}>
        <p>
          <UntrustedText text={member.name ?? member.email ?? member.uuid} /> created these access tokens, or somebody
          did with one of them. They still work, and whoever knows a secret can use it. To revoke only some, keep them
          and go to Tokens.
        </p>
        <ul>
          {tokens.map((token) => (
            <li key={token.uuid}>
              <UntrustedText text={token.name ?? token.uuid} /> (
              <UntrustedText text={roleName(token.role ?? '–')} />)
            </li>
          ))}
        </ul>
        {revoke.isError && <ErrorAlert error={revoke.error} />}
        <FormButtons>
          <Button variant="default" onClick={onClose}>
            Keep all
          </Button>
          <Button type="submit" color="red" loading={revoke.isPending}>
            Revoke all
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
