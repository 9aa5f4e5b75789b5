/** Texts in English: connection. */
export const connection = {
  title: { offline: 'This device is offline', unreachable: 'The server cannot be reached' },
  text: {
    offline: 'Check the network connection of this device. The page continues when it is back.',
    unreachable: 'Check that the server is running, and the network. The page keeps trying.',
  },
  slow: 'The server has not answered yet. Still waiting …',
  tryNow: 'Try now',
  failedAt: (time: string) => `Last attempt: ${time}`,
};
