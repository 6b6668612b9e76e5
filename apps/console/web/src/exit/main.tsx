import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchLoading } from '../loadFailure.ts';
import { readPageConfig } from '../pageConfig.ts';
import { ExitPage } from './ExitPage.tsx';

watchLoading();
const root = document.querySelector('#root');
const config = await readPageConfig();
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <ExitPage config={config} />
    </StrictMode>,
  );
}
