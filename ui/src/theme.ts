import { Badge, type CSSVariablesResolver, createTheme, Drawer, Modal, Notification } from '@mantine/core';

/** The look of the screen. The shades are those that keep a contrast of 4.5:1 (WCAG 2.2, 1.4.3). */
export const theme = createTheme({
  respectReducedMotion: true,
  primaryShade: { light: 8, dark: 8 },
  components: {
    // A state may be a sentence: it is broken into lines where there is no room, not cut.
    Badge: Badge.extend({
      styles: {
        root: { height: 'auto', minHeight: 'var(--badge-height)', maxWidth: '100%' },
        label: { whiteSpace: 'normal', overflow: 'visible', overflowWrap: 'anywhere' },
      },
    }),
    // The scrollbar keeps its place (main.css), so that nothing moves when a dialog opens.
    Drawer: Drawer.extend({ defaultProps: { removeScrollProps: { removeScrollBar: false } } }),
    Modal: Modal.extend({ defaultProps: { removeScrollProps: { removeScrollBar: false } } }),
    Notification: Notification.extend({ defaultProps: { withBorder: true } }),
  },
});

/** Where the shades of the library are too pale or too dark for texts. */
export const readableColours: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-blue-9)',
    // Yellow and green are too pale in any of their shades.
    ...textColour(Object.keys(colors), (colour) => `color-mix(in srgb, var(${colour}-9), black 40%)`),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-blue-3)',
    ...textColour(Object.keys(colors), (colour) => `var(${colour}-2)`),
  },
});

/** Of badges, notices and quiet buttons. */
function textColour(colours: readonly string[], shadeOf: (colour: string) => string): Record<string, string> {
  return Object.fromEntries(
    colours
      .filter((colour) => colour !== 'dark')
      .flatMap((colour) =>
        ['light-color', 'outline', 'text'].map((kind) => [
          `--mantine-color-${colour}-${kind}`,
          shadeOf(`--mantine-color-${colour}`),
        ]),
      ),
  );
}
