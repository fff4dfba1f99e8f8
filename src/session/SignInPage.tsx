import { Button, PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type FormEvent } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { findPathSegmentError } from '#contract/endpoint.ts';
import type { Credentials } from '#contract/session.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import favicon from '../favicon.svg?inline';
import { paths } from '../paths.ts';
import { PageTitle } from '../shell/PageTitle.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toReturnPath } from './returnPath.ts';
import { openSession, sessionHasEnded, sessionQuery, readTokenStorageNote } from './session.ts';
import classes from './SignInPage.module.css';

/** Signs in with an access token, or with the one-time code of a link (`#code=...`), and returns to where one was. */
export function SignInPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const session = useQuery(sessionQuery);
  const back = toReturnPath((location.state as { from?: unknown } | null)?.from);
  const [token, setToken] = useState('');
  const [workspace, setWorkspace] = useState('');
  const [fault, setFault] = useState<{ token?: string; workspace?: string }>({});
  const attempt = useMutation({ mutationFn: (credentials: Credentials) => openSession(client, credentials) });

  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  const redeem = useEffectEvent((value: string) => {
    // The code leaves the address before it is used: it works once, and the history should not hold it.
    void navigate(paths.signIn, { replace: true, state: location.state });
    attempt.mutate({ code: value });
  });
  useEffect(() => {
    if (code !== null) redeem(code);
  }, [code]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = { token: token.trim(), workspace: workspace.trim() };
    // Our own IDs are UUIDs; those of another service need not be.
    const workspaceFault = findPathSegmentError(trimmed.workspace);
    const faults = {
      ...(trimmed.token === '' && { token: 'Paste the access token of your workspace.' }),
      ...(/[^\u0021-\u007e]/.test(trimmed.token) && { token: 'A token has no spaces or special characters inside.' }),
      ...(trimmed.workspace !== '' && workspaceFault !== null && { workspace: `A workspace ID ${workspaceFault}.` }),
    };
    setFault(faults);
    if (Object.keys(faults).length > 0) return;
    attempt.mutate({ token: trimmed.token, ...(trimmed.workspace !== '' && { workspace: trimmed.workspace }) });
  };

  if (session.data && code === null && !attempt.isPending && !attempt.isError) return <Navigate to={back} replace />;
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <img src={favicon} alt="" width={40} height={40} />
        <PageTitle title="Sign in to Sendroom" />
        <p className={classes.intro}>With an access token of your workspace. {readTokenStorageNote()}</p>
        <form className={classes.form} onSubmit={submit} noValidate>
          {sessionHasEnded() && !attempt.isError && (
            <Notice tone="neutral" title="Your session ended">
              Sign in to go on where you were.
            </Notice>
          )}
          <PasswordInput
            label="Access token"
            value={token}
            error={fault.token}
            onChange={(event) => setToken(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          />
          <TextInput
            label="Workspace ID"
            description="Optional. Some services need it to unsubscribe and cannot tell it themselves."
            value={workspace}
            error={fault.workspace}
            onChange={(event) => setWorkspace(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
          {attempt.isError && <ErrorAlert error={attempt.error} />}
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
        </form>
      </div>
    </main>
  );
}
