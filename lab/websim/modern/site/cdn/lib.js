window.cdnLoaded = 'cdn';
