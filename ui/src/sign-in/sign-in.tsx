import { Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { login } from '../api/accounts.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { session } from '../session/store.ts';
import { useTexts } from '../texts/texts.tsx';

/** The page of whoever is not signed in, at every address. */
export function SignIn() {
  const { common, login: texts } = useTexts();
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', password: '' } });
  const attempt = useMutation({
    mutationFn: ({ username, password }: { username: string; password: string }) => login(username, password),
    onSuccess: (token) => session.begin(token),
  });
  return (
    <Center mih="100vh" component="main" p="md">
      <Paper withBorder shadow="sm" p="xl" w={400} maw="100%">
        <form onSubmit={form.onSubmit((values) => attempt.mutate(values))}>
          <Stack>
            <div>
              <Title order={1} size="h2">
                {texts.title}
              </Title>
              <Text c="dimmed">{common.product}</Text>
            </div>
            {session.because === 'expired' && <Text role="status">{texts.expired}</Text>}
            {session.because === 'signed-out' && <Text role="status">{texts.signedOut}</Text>}
            <TextInput
              label={texts.username}
              autoComplete="username"
              required
              key={form.key('username')}
              {...form.getInputProps('username')}
            />
            <PasswordInput
              label={texts.password}
              autoComplete="current-password"
              required
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
            {attempt.error !== null && <ErrorNotice error={attempt.error} />}
            <Button type="submit" loading={attempt.isPending}>
              {texts.submit}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
