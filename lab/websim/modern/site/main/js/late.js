window.lateLoaded = 'late';
