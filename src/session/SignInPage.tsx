import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from 'react-router';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import favicon from '../ui/favicon.svg?inline';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Form } from '../ui/Form.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toReturnPath } from './returnPath.ts';
import { sessionHasEnded, sessionQuery, readTokenStorageNote } from './session.ts';
import classes from './SignInPage.module.css';
import { useSignInForm } from './useSignInForm.ts';
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
            description="Optional. Some services need it to unsubscribe and cannot tell it themselves."
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
