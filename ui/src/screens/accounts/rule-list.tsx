import { List, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconPointFilled } from '@tabler/icons-react';
import type { Rule } from '../../../../lib/accounts/rules.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.tsx';

/** A rule as people see it; its name stands for its text. */
export type ShownRule = Pick<Rule<keyof Texts['accounts']['rule']>, 'name' | 'holds'>;

interface RuleListProps {
  readonly rules: readonly ShownRule[];
  readonly text: string;
}

/** The rules for a name or password, each with whether the text meets it; what is missing is also told to those who listen. */
export function RuleList({ rules, text }: RuleListProps) {
  const { accounts: texts } = useTexts();
  const missing = rules.filter(({ holds }) => !holds(text)).map(({ name }) => texts.rule[name]);
  return (
    <>
      <List size="sm" spacing={2} center listStyleType="none">
        {rules.map((rule) => (
          <RuleItem key={rule.name} rule={rule} isMet={rule.holds(text)} />
        ))}
      </List>
      <VisuallyHidden role="status">
        {text !== '' && (missing.length === 0 ? texts.allMet : texts.missing(missing.join('; ')))}
      </VisuallyHidden>
    </>
  );
}

function RuleItem({ rule, isMet }: { readonly rule: ShownRule; readonly isMet: boolean }) {
  const { accounts: texts } = useTexts();
  const Icon = isMet ? IconCheck : IconPointFilled;
  return (
    <List.Item
      icon={
        <ThemeIcon size={18} radius="xl" variant={isMet ? 'filled' : 'default'}>
          <Icon size={12} aria-hidden />
        </ThemeIcon>
      }
    >
      <Text size="sm" component="span">
        {texts.rule[rule.name]}
        <VisuallyHidden>: {isMet ? texts.met : texts.notMet}</VisuallyHidden>
      </Text>
    </List.Item>
  );
}
