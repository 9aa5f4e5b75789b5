import { Alert, Box, Grid, Stack } from '@mantine/core';
import type { PreviewRange } from '../../../api/reactions.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject } from '../../../xapi/json-edit.ts';
import { OnlyAsJson } from './condition-form.tsx';
import { ConditionList } from './condition-list.tsx';
import classes from './editor.module.css';
import { IdentityPaths } from './identity-paths.tsx';
import { JsonSide } from './json-side.tsx';
import { notesOutside } from './notes.ts';
import { NotesView } from './notes-view.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { TemplateForm } from './template-form.tsx';
import type { PreviewState } from './use-preview.ts';
import type { RulesetDraft } from './use-ruleset.ts';

interface EditorSidesProps {
  readonly draft: RulesetDraft;
  readonly preview: PreviewState;
  readonly range: PreviewRange;
  readonly onRange: (range: PreviewRange) => void;
}

/** The form, and beside it the same as JSON and what it would do. */
export function EditorSides({ draft, preview, range, onRange }: EditorSidesProps) {
  const { reactions } = useTexts();
  const { ruleset, mistake } = draft;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="xl">
          {mistake !== undefined && <Alert p="xs">{reactions.formWaits}</Alert>}
          {/* While the text is no JSON, there is nothing that a change could be made to. */}
          <fieldset className={classes.plain} disabled={mistake !== undefined} aria-label={reactions.form}>
            {isObject(ruleset) ? (
              <Stack gap="xl">
                <NotesView notes={notesOutside(preview.notes, ['identityPaths', 'conditions', 'template'])} />
                <ConditionList />
                <IdentityPaths />
                <TemplateForm />
              </Stack>
            ) : (
              <OnlyAsJson value={ruleset} />
            )}
          </fieldset>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Box className={classes.beside}>
          <Stack gap="xl">
            <JsonSide draft={draft} />
            <PreviewPanel draft={draft} state={preview} range={range} onRange={onRange} />
          </Stack>
        </Box>
      </Grid.Col>
    </Grid>
  );
}
