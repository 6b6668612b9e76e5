import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readPageConfig } from '../pageConfig.ts';
import { ExitPage } from './ExitPage.tsx';

const place = document.querySelector('#root');
const config = await readPageConfig();
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <ExitPage config={config} />
    </StrictMode>,
  );
}
