import '@mantine/core/styles.css';
import './main.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadAhead } from './gate.tsx';
import { styleNonce } from './style-nonce.ts';

// What keeps the page behind a dialog from scrolling writes its style element with this.
setNonce(styleNonce());

loadAhead();

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
