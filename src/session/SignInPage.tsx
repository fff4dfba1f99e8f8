import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { findPathSegmentError } from '#contract/endpoint.ts';
import type { Credentials } from '#contract/session.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import favicon from '../ui/favicon.svg?inline';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Form } from '../ui/Form.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useForm } from '../ui/useForm.ts';
import { paths } from '../url/paths.ts';
import { readQuery, type Param } from '../url/urlState.ts';
import { toReturnPath } from './returnPath.ts';
import { sessionHasEnded, sessionQuery, readTokenStorageNote, openSession } from './session.ts';
import classes from './SignInPage.module.css';
import { WorkspaceIdField } from './WorkspaceIdField.tsx';

/** Signs in with an access token, or with the one-time code of a link (`#code=...`), and returns to the page before. */
export function SignInPage() {
  const location = useLocation();
  const session = useQuery(sessionQuery);
  const back = toReturnPath((location.state as { from?: unknown } | null)?.from);
  const { field, attempt, error, hasCode, submit } = useSignInForm();

  if (session.data && !hasCode && !attempt.isPending && !attempt.isError) return <Navigate to={back} replace />;
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <img src={favicon} alt="" width={40} height={40} />
        <PageTitle title="Sign in to Sendroom" />
        <p className={classes.intro}>With an access token of your workspace. {readTokenStorageNote()}</p>
        <Form className={classes.form} onSubmit={submit}>
          {sessionHasEnded() && !attempt.isError && (
            <Notice tone="neutral" title="Your session ended">
              Sign in to go on where you were.
            </Notice>
          )}
          <PasswordInput
            label="Access token"
            {...field('token')}
            autoComplete="off"
            spellCheck={false}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          />
          <WorkspaceIdField
            description="Optional. Only needed if your service does not provide it."
            {...field('workspace')}
          />
          {error !== null && <ErrorAlert error={error} />}
          {attempt.isError && session.data && (
            <p>
              You are still signed in. <Link to={back}>Continue</Link>
            </p>
          )}
          {session.isError && !attempt.isError && (
            <ErrorAlert error={session.error} onRetry={() => void session.refetch()} />
          )}
          <Button type="submit" fullWidth loading={attempt.isPending}>
            Sign in
          </Button>
        </Form>
      </div>
    </main>
  );
}

/**
 * The form of the sign-in page and the request. A one-time code in the URL (`#code=...`) is sent on mount; `hasCode` is
 * true until it is taken out of the URL.
 */
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
    /** Of the last attempt, until the next one is checked. */
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
const FRAGMENT: { code: Param<string | null> } = { code: { initial: null, parse: (text) => text, format: String } };

/** Calls `redeem` with the code in the URL, after the code was taken out of there; tells whether there is one. */
function useSignInCode(redeem: (code: string) => void): boolean {
  const navigate = useNavigate();
  const location = useLocation();
  const { code } = readQuery(FRAGMENT, location.hash.slice(1));
  const take = useEffectEvent((value: string) => {
    // The code leaves the URL before it is sent: it works once, and the browser's history should not keep it.
    void navigate(paths.signIn, { replace: true, state: location.state });
    redeem(value);
  });
  useEffect(() => {
    if (code !== null) take(code);
  }, [code]);
  return code !== null;
}

function validate(values: { token: string; workspace: string }): { token?: string; workspace?: string } {
  const [token, workspace] = [values.token.trim(), values.workspace.trim()];
  // Our own workspace IDs are UUIDs; those of another service need not be.
  const workspaceError = findPathSegmentError(workspace);
  return {
    ...(token === '' && { token: 'Paste the access token of your workspace.' }),
    ...(/[^\u0021-\u007e]/.test(token) && { token: 'A token has no spaces or special characters inside.' }),
    ...(workspace !== '' && workspaceError !== null && { workspace: `A workspace ID ${workspaceError}.` }),
  };
}
