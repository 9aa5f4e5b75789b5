import { Autocomplete, type InputWrapperProps, type MantineSize, Text } from '@mantine/core';

export interface Suggestion {
  /** What is taken over. */
  readonly value: string;
  /** What it is called, shown above it. */
  readonly name: string | undefined;
  /** Shown instead of the value, where that is not for people. */
  readonly shown?: string;
}

interface SuggestInputProps
  extends Pick<
    InputWrapperProps,
    'description' | 'descriptionProps' | 'error' | 'errorProps' | 'inputWrapperOrder'
  > {
  readonly label?: string;
  /** In place of a label that is seen. */
  readonly 'aria-label'?: string;
  readonly size?: MantineSize;
  readonly placeholder?: string;
  readonly value: string;
  readonly suggestions: readonly Suggestion[];
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly autoFocus?: boolean;
  /** A word at its end, such as a unit. */
  readonly suffix?: string | undefined;
}

/** A text field that suggests values; any other can be typed, too. */
export function SuggestInput({ suggestions, suffix, ...field }: SuggestInputProps) {
  const byValue = new Map(suggestions.map((each) => [each.value, each]));
  return (
    <Autocomplete
      {...field}
      {...(suffix !== undefined && { rightSection: <Suffix text={suffix} />, rightSectionWidth: 84 })}
      data={[...byValue.keys()]}
      // Whoever gives the suggestions has chosen them already.
      filter={({ options }) => options}
      limit={20}
      maxDropdownHeight={300}
      autoComplete="off"
      spellCheck={false}
      renderOption={({ option }) => <Option suggestion={byValue.get(option.value)} />}
    />
  );
}

function Suffix({ text }: { readonly text: string }) {
  return (
    <Text size="xs" c="dimmed" truncate>
      {text}
    </Text>
  );
}

function Option({ suggestion }: { readonly suggestion: Suggestion | undefined }) {
  const { name, shown, value } = suggestion ?? { name: undefined, value: '' };
  return (
    <div className="wrap-anywhere">
      {name !== undefined && <Text size="sm">{name}</Text>}
      <Text size="xs" {...(name !== undefined && { c: 'dimmed' })}>
        {shown ?? value}
      </Text>
    </div>
  );
}
