import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DeletedInList } from '../../../../lib/reactions/service-types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Shows the ruleset of a reaction before it is restored. */
export function RulesetButton({ reaction: { title, ruleset } }: { readonly reaction: DeletedInList }) {
  const { reactions } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={reactions.workNamed(reactions.showRuleset, title)}
        onClick={() => setOpen(true)}
      >
        {reactions.showRuleset}
      </Button>
      {isOpen && (
        <Dialog title={title} size="lg" onClose={() => setOpen(false)}>
          <JsonView text={JSON.stringify(ruleset)} label={reactions.ruleset} />
        </Dialog>
      )}
    </>
  );
}
