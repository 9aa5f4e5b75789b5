import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { passwordRules, usernameRules } from '../../../lib/accounts/rules.ts';
import { login } from '../api/accounts.ts';
import { ApiError } from '../api/errors.ts';
import { type RuleName, session } from '../api/session.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useTexts } from '../texts/texts.tsx';

interface Names {
  readonly username: string;
  readonly password: string;
}

/** Signs in to an account of this server. */
export function PasswordForm() {
  const { common, login: texts } = useTexts();
  const form = useForm<Names>({ mode: 'uncontrolled', initialValues: { username: '', password: '' } });
  const attempt = useMutation({
    mutationFn: ({ username, password }: Names) => login(username, password),
    onSuccess: (token, names) => session.begin(token, { brokenRules: brokenBy(names) }),
  });
  return (
    <form onSubmit={form.onSubmit((values) => attempt.mutate(values))}>
      <Stack>
        <TextInput
          label={texts.username}
          autoComplete="username"
          autoCapitalize="none"
          required
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label={texts.password}
          autoComplete="current-password"
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ 'aria-label': common.showPassword }}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {attempt.error !== null && (
          <ErrorNotice
            error={attempt.error}
            title={common.signInFailed}
            text={isWrongPassword(attempt.error) ? texts.wrongPassword : undefined}
          />
        )}
        <Button type="submit" loading={attempt.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  );
}

/** The server says so in English. */
function isWrongPassword(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}

function brokenBy({ username, password }: Names): RuleName[] {
  return [
    ...usernameRules.filter(({ holds }) => !holds(username)),
    ...passwordRules.filter(({ holds }) => !holds(password)),
  ].map(({ name }) => name);
}
