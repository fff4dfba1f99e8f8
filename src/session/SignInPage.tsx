import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useHref, useLocation, useNavigate } from 'react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { findPathSegmentError } from '#contract/openapi/endpoint.ts';
import { ACCOUNT_SIGN_IN_PATH, type Credentials } from '#contract/session.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import favicon from '../ui/favicon.svg?inline';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Form } from '../ui/Form.tsx';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { useStore } from '../ui/page/store.ts';
import { useForm } from '../ui/useForm.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { readQuery, type Param } from '../url/urlState.ts';
import { describeRefusal } from './refusals.ts';
import { toReturnPath } from './returnPath.ts';
import { openSession, sessionEnd, sessionProvider, sessionQuery, signInWays } from './session.ts';
import classes from './SignInPage.module.css';
import { WorkspaceIdField } from './WorkspaceIdField.tsx';
import { withWorkspace, workspaceUrl } from './workspaces.ts';

/** Signs in with the organisation's account, an access token, or the one-time code of a link (`#code=...`). */
export function SignInPage() {
  const location = useLocation();
  const session = useQuery(sessionQuery);
  const back = toReturnPath((location.state as { from?: unknown } | null)?.from);
  const form = useSignInForm();
  const { attempt, hasCode } = form;
  const client = useQueryClient();
  // The last render of the previous page may have started requests again.
  useEffect(() => client.removeQueries({ type: 'inactive' }), [client]);

  if (session.data && !hasCode && !attempt.isPending && !attempt.isError) return <Navigate to={back} replace />;
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <img src={favicon} alt="" width={40} height={40} />
        <PageTitle title="Sign in to Sendroom" />
        {!session.isPending && (isFramed ? <InFrame back={back} /> : <Ways back={back} form={form} />)}
        {attempt.isError && session.data && (
          <p>
            You are still signed in. <Link to={back}>Continue</Link>
          </p>
        )}
        {session.isError && !attempt.isError && (
          <ErrorAlert error={session.error} onRetry={() => void session.refetch()} />
        )}
      </div>
    </main>
  );
}

/** Next to a ticket. Account providers don't let themselves be framed, and a token belongs in no other page. */
const isFramed = window.parent !== window;

function InFrame({ back }: { back: string }) {
  const page = useHref(back);
  return (
    <>
      <p>
        <a href={page} target="_blank" rel="noopener">
          Sign in in a new tab
        </a>
        , then return to this one.
      </p>
      <p className="soft">
        If you’re still signed out here, this page belongs to another site, where browsers don’t keep you signed in.
        Work in the new tab instead.
      </p>
    </>
  );
}

const TOKEN_ALONE = { token: true, account: null, account_sign_out: null };

function Ways({ back, form }: { back: string; form: SignInForm }) {
  const { how, hasLostDraft } = useStore(sessionEnd);
  const { account, account_sign_out, token } = useStore(signInWays) ?? TOKEN_ALONE;
  const fragment = readQuery(FRAGMENT, useLocation().hash.slice(1));
  const refusal = fragment.refused === null ? null : describeRefusal(fragment.refused, account ?? 'Your account');
  return (
    <>
      {refusal !== null && (
        <Notice tone="warn" title={refusal.title}>
          <UntrustedText text={refusal.text} />
        </Notice>
      )}
      {how === 'service' && !form.attempt.isError && (
        <Notice tone="neutral" title="Your session ended">
          Sign in to return to this page.
        </Notice>
      )}
      {hasLostDraft && (
        <Notice tone="warn" title="Unsaved changes were discarded">
          This tab had unsaved changes when you were signed out.
        </Notice>
      )}
      {account !== null && fragment.signedOut && account_sign_out?.startsWith('http') && (
        <Notice tone="neutral" title="You are signed out">
          You may still be signed in to <UntrustedText text={account} /> in this browser.{' '}
          <a href={account_sign_out}>
            Sign out of <UntrustedText text={account} /> as well
          </a>
        </Notice>
      )}
      {account !== null && (
        <Button component="a" fullWidth className={classes.account} href={accountSignIn(back)}>
          {/* One element: a button's label drops the space between two. */}
          <span>
            Sign in with <UntrustedText text={account} />
          </span>
        </Button>
      )}
      {account !== null && token && (
        <p className={classes.or}>
          <span>or with an access token</span>
        </p>
      )}
      {token && <TokenForm form={form} isAlone={account === null} />}
    </>
  );
}

const accountSignIn = (back: string) =>
  `${workspaceUrl(null, ACCOUNT_SIGN_IN_PATH)}?return=${encodeURIComponent(withWorkspace(back))}`;

type SignInForm = ReturnType<typeof useSignInForm>;

function TokenForm({ form: { field, attempt, error, submit }, isAlone }: { form: SignInForm; isAlone: boolean }) {
  return (
    <>
      <p className={classes.intro}>
        {isAlone && 'Use an access token of your workspace. '}
        {sessionProvider.read().tokenStorageNote}
      </p>
      <Form className={classes.form} onSubmit={submit}>
        <PasswordInput
          label="Access token"
          {...field('token')}
          autoComplete="off"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
        />
        <WorkspaceIdField
          description="Optional. Required only if your service doesn’t provide it."
          {...field('workspace')}
        />
        {error !== null && <ErrorAlert error={error} />}
        <Button type="submit" fullWidth variant={isAlone ? 'filled' : 'default'} loading={attempt.isPending}>
          Sign in
        </Button>
      </Form>
    </>
  );
}

/** `hasCode` is true until the one-time code in the URL, which is sent on mount, is removed from there. */
function useSignInForm() {
  const client = useQueryClient();
  const { field, submit } = useForm({ token: '', workspace: '' }, validate);
  const [error, setError] = useState<Error | null>(null);
  const attempt = useMutation({
    mutationFn: (credentials: Credentials) => openSession(client, credentials),
    meta: { isSignIn: true },
    onError: setError,
  });
  const hasCode = useSignInCode((code) => attempt.mutate({ code }));
  return {
    field,
    attempt,
    error,
    hasCode,
    submit: () => {
      setError(null);
      submit((values) => {
        const [token, workspace] = [values.token.trim(), values.workspace.trim()];
        attempt.mutate({ token, ...(workspace !== '' && { workspace }) });
      });
    },
  };
}
const TEXT: Param<string | null> = { initial: null, parse: (text) => text, format: String };

const FRAGMENT = {
  code: TEXT,
  refused: TEXT,
  signedOut: { name: 'signed-out', initial: false, parse: (text: string) => text === '1', format: String },
};

/** Removes the code from the URL, then calls `redeem` with it. Returns whether there is one. */
function useSignInCode(redeem: (code: string) => void): boolean {
  const navigate = useNavigate();
  const location = useLocation();
  const { code } = readQuery(FRAGMENT, location.hash.slice(1));
  const take = useEffectEvent((value: string) => {
    // Removed before it is sent, so that the browser's history does not keep it.
    void navigate(paths.signIn, { replace: true, state: location.state });
    redeem(value);
  });
  useEffect(() => {
    if (code !== null) take(code);
  }, [code]);
  return code !== null;
}

function validate(values: { token: string; workspace: string }) {
  const [token, workspace] = [values.token.trim(), values.workspace.trim()];
  // Other services may have workspace IDs that aren't UUIDs.
  const workspaceError = findPathSegmentError(workspace);
  return {
    token:
      token === ''
        ? 'Paste the access token of your workspace.'
        : /[^\u0021-\u007e]/.test(token)
          ? 'A token contains no spaces or special characters.'
          : undefined,
    workspace: workspace !== '' && workspaceError !== null ? `A workspace ID ${workspaceError}.` : undefined,
  };
}
