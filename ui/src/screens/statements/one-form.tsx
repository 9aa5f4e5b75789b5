import { Checkbox, TextInput } from '@mantine/core';
import { useTexts } from '../../texts/texts.tsx';
import type { FilterFormProps, Filters } from './filters.ts';
import { FormFrame } from './form-frame.tsx';
import { useDraft } from './use-draft.ts';

interface Choice {
  readonly id: string;
  readonly isVoided: boolean;
}

/** Asks for one statement by its id. */
export function OneForm({ filters, mistakes, onSearch }: FilterFormProps) {
  const { statements } = useTexts();
  const [{ id, isVoided }, setDraft] = useDraft(filters, choiceOf);
  const name = isVoided ? 'voidedStatementId' : 'statementId';
  return (
    <FormFrame
      onSubmit={() => onSearch({ [name]: id.trim() })}
      onClear={() => {
        setDraft(choiceOf({}));
        onSearch({});
      }}
    >
      <TextInput
        label={statements.parameters.statementId}
        maw={420}
        required
        spellCheck={false}
        value={id}
        error={mistakes[name]}
        onChange={(event) => setDraft({ id: event.currentTarget.value, isVoided })}
      />
      <Checkbox
        label={statements.isVoided}
        checked={isVoided}
        onChange={(event) => setDraft({ id, isVoided: event.currentTarget.checked })}
      />
    </FormFrame>
  );
}

function choiceOf({ statementId, voidedStatementId }: Filters): Choice {
  return { id: statementId ?? voidedStatementId ?? '', isVoided: voidedStatementId !== undefined };
}
