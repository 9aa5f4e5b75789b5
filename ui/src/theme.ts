import { createTheme, Notification } from '@mantine/core';

/** The look of the screen. */
export const theme = createTheme({
  respectReducedMotion: true,
  components: {
    Notification: Notification.extend({ defaultProps: { withBorder: true } }),
  },
});
